"""What is written in a figure."""

from matplotlib.figure import Figure
from matplotlib.text import Text

from fairflow.products.figures._drawing import notes_of


def texts(figure: Figure) -> list[Text]:
    """The visible texts of the picture."""
    return [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]


def everything(figure: Figure) -> str:
    """The words of the picture and of its caption."""
    found = [*(text.get_text() for text in texts(figure)), *notes_of(figure)]
    return " ".join(" ".join(found).split())
