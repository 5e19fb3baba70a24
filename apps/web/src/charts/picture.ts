// Draws an element of the page as a picture, as it is shown. The page's policy allows no images but its own files, so the browser can't
// render the markup as one.
import { paintShape } from "./picture-shapes.ts";

/** Device pixels per CSS pixel. */
const SCALE = 2;
/** Browsers refuse larger canvases. */
const MAX_SIDE_PX = 8_192;
const MARGIN_PX = 16;
const HEADING_PX = 32;

/** Elements with this attribute are left out: `data-picture="none"`. */
const LEFT_OUT = '[data-picture="none"]';

/** A PNG file of an element: its texts, backgrounds, lines and SVG shapes. @param heading a line above it */
export async function toPng(element: HTMLElement, heading?: string): Promise<Blob> {
  await document.fonts.ready;
  const box = element.getBoundingClientRect();
  const shown = [...element.children].filter((child) => !child.matches(LEFT_OUT)).map((child) => child.getBoundingClientRect().bottom);
  const bottom = Math.max(box.top, ...shown);
  const above = MARGIN_PX + (heading === undefined ? 0 : HEADING_PX);
  const [width, height] = [box.width + 2 * MARGIN_PX, bottom - box.top + above + MARGIN_PX];
  const scale = Math.min(SCALE, MAX_SIDE_PX / width, MAX_SIDE_PX / height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser can't draw pictures.");
  const base = new DOMMatrix([scale, 0, 0, scale, (MARGIN_PX - box.left) * scale, (above - box.top) * scale]);
  context.fillStyle = background(element);
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (heading !== undefined) {
    const { color, fontFamily } = getComputedStyle(element);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = color;
    context.font = `600 16px ${fontFamily}`;
    context.fillText(heading, MARGIN_PX, MARGIN_PX + 16);
  }
  paint(context, element, base, 1);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The picture is too large.")) : resolve(blob)), "image/png"),
  );
}

const isTransparent = (color: string): boolean => color === "transparent" || /^rgba\(.*, 0\)$/.test(color);

/** The background on which an element is shown. */
function background(element: Element): string {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!isTransparent(backgroundColor)) return backgroundColor;
  }
  return "#fff";
}

const isHidden = ({ display, visibility, clipPath, opacity }: CSSStyleDeclaration): boolean =>
  display === "none" || visibility === "hidden" || clipPath === "inset(50%)" || opacity === "0";

function paint(context: CanvasRenderingContext2D, element: Element, base: DOMMatrix, outerOpacity: number): void {
  if (element.matches(LEFT_OUT)) return;
  const style = getComputedStyle(element);
  if (isHidden(style)) return;
  const opacity = outerOpacity * Number(style.opacity);
  if (element instanceof SVGElement && !(element instanceof SVGSVGElement)) {
    if (element instanceof SVGGraphicsElement && paintShape(context, element, style, base, opacity)) return;
  } else paintBox(context, element, style, base, opacity);
  for (const child of element.childNodes) {
    if (child instanceof Element) paint(context, child, base, opacity);
    else if (child instanceof Text && element instanceof HTMLElement) paintText(context, child, style, base, opacity);
  }
}

function paintBox(context: CanvasRenderingContext2D, element: Element, style: CSSStyleDeclaration, base: DOMMatrix, opacity: number): void {
  const box = element.getBoundingClientRect();
  context.setTransform(base);
  context.globalAlpha = opacity;
  context.setLineDash([]);
  if (!isTransparent(style.backgroundColor)) {
    context.fillStyle = style.backgroundColor;
    context.beginPath();
    context.roundRect(box.left, box.top, box.width, box.height, Number.parseFloat(style.borderTopLeftRadius) || 0);
    context.fill();
  }
  const lines = [
    { side: "Top", from: [box.left, box.top], to: [box.right, box.top] },
    { side: "Bottom", from: [box.left, box.bottom], to: [box.right, box.bottom] },
    { side: "Left", from: [box.left, box.top], to: [box.left, box.bottom] },
    { side: "Right", from: [box.right, box.top], to: [box.right, box.bottom] },
  ] as const;
  for (const { side, from, to } of lines) {
    const width = Number.parseFloat(style[`border${side}Width`]);
    if (!(width > 0) || style[`border${side}Style`] === "none" || isTransparent(style[`border${side}Color`])) continue;
    context.strokeStyle = style[`border${side}Color`];
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(from[0], from[1]);
    context.lineTo(to[0], to[1]);
    context.stroke();
  }
}

/** Draws each word where the browser has laid it out, so that lines break as they do on the page. */
function paintText(context: CanvasRenderingContext2D, text: Text, style: CSSStyleDeclaration, base: DOMMatrix, opacity: number): void {
  context.setTransform(base);
  context.globalAlpha = opacity;
  context.fillStyle = style.color;
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.direction = style.direction === "rtl" ? "rtl" : "ltr";
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  const range = document.createRange();
  for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const [box] = range.getClientRects();
    if (box === undefined || box.width === 0) continue;
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText(word);
    context.fillText(word, box.left, box.top + (box.height - ascent - descent) / 2 + ascent);
  }
}
