/* Search without a server: a browser starts no worker from a file, so that its script runs in a hidden frame. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.tell(this, data);
      this.loaded = this.load(this.inside, url);
      this.inside.importScripts = (...urls) =>
        urls.reduce((before, next) => before.then(() => this.load(this.inside, next)), this.loaded);
    }

    load(where, url) {
      return new Promise((resolve, reject) => {
        const script = where.document.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${url} was not loaded`));
        where.document.body.append(script);
      });
    }

    tell(whom, data) {
      const event = new MessageEvent("message", { data });
      whom.dispatchEvent(event);
      if (whom.onmessage) whom.onmessage(event);
    }

    postMessage(data) {
      this.loaded.then(() => this.tell(this.inside, data));
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  };
}
