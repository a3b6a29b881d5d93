/** px of a character where nothing can measure: Chinese, Latin. */
const han = 14;
const latin = 8;

const estimate = (text: string): number =>
  [...text].reduce((sum, character) => sum + (character > "\u2e80" ? han : latin), 0);

let context: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** px that a text of 14 px takes in one line, in the font of the page. */
export function textWidth(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (context === undefined) {
    context =
      typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
    if (context) context.font = `14px ${getComputedStyle(document.body).fontFamily}`;
  }
  const width = context ? Math.ceil(context.measureText(text).width) : estimate(text);
  widths.set(text, width);
  return width;
}
