// What the page holds packed, gzip in base64, until it is asked for.
async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

const UNPACKED = new Map();

// The text of a packed script of the page, read once.
function textOf(id) {
  if (!UNPACKED.has(id)) UNPACKED.set(id, unpacked(document.getElementById(id).textContent.trim()));
  return UNPACKED.get(id);
}
