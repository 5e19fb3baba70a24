// Draws SVG shapes with their computed style.

const FILL_URL = /^url\("?#(.+?)"?\)/;

/** Draws a shape or a text. @returns whether its children are done with: groups have children to draw */
export function paintShape(
  context: CanvasRenderingContext2D,
  element: SVGGraphicsElement,
  style: CSSStyleDeclaration,
  base: DOMMatrix,
  opacity: number,
): boolean {
  if (element instanceof SVGGElement) return false;
  const matrix = element.getScreenCTM();
  if (matrix === null || element instanceof SVGDefsElement) return true;
  context.setTransform(base.multiply(DOMMatrix.fromMatrix(matrix)));
  if (element instanceof SVGTextElement) paintLabel(context, element, style, opacity);
  else paintPath(context, element, style, opacity);
  return true;
}

/** The outline of a shape in its own units. Undefined for other elements. */
function outline(element: Element): Path2D | undefined {
  const path = new Path2D();
  if (element instanceof SVGPathElement) return new Path2D(element.getAttribute("d") ?? "");
  if (element instanceof SVGLineElement) {
    path.moveTo(element.x1.baseVal.value, element.y1.baseVal.value);
    path.lineTo(element.x2.baseVal.value, element.y2.baseVal.value);
    return path;
  }
  if (element instanceof SVGCircleElement) {
    path.arc(element.cx.baseVal.value, element.cy.baseVal.value, element.r.baseVal.value, 0, 2 * Math.PI);
    return path;
  }
  if (element instanceof SVGRectElement) {
    const { x, y, width, height, rx } = element;
    path.roundRect(x.baseVal.value, y.baseVal.value, width.baseVal.value, height.baseVal.value, rx.baseVal.value);
    return path;
  }
  return undefined;
}

function paintPath(context: CanvasRenderingContext2D, element: Element, style: CSSStyleDeclaration, opacity: number): void {
  const path = outline(element);
  if (path === undefined) return;
  const fill = FILL_URL.exec(style.fill)?.[1];
  const paint = fill === undefined ? style.fill : pattern(context, fill);
  if (paint !== "none" && paint !== null) {
    context.globalAlpha = opacity * Number(style.fillOpacity);
    context.fillStyle = paint;
    context.fill(path);
  }
  if (style.stroke === "none") return;
  context.globalAlpha = opacity * Number(style.strokeOpacity);
  context.strokeStyle = style.stroke;
  context.lineWidth = Number.parseFloat(style.strokeWidth) || 1;
  context.lineJoin = style.strokeLinejoin as CanvasLineJoin;
  context.lineCap = style.strokeLinecap as CanvasLineCap;
  context.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[ ,]+/).map(Number.parseFloat));
  context.stroke(path);
}

/** A pattern of the page. Its tile has twice the resolution of its unit. */
function pattern(context: CanvasRenderingContext2D, id: string): CanvasPattern | null {
  const source = document.getElementById(id);
  if (!(source instanceof SVGPatternElement)) return null;
  const scale = 2;
  const tile = document.createElement("canvas");
  tile.width = source.width.baseVal.value * scale;
  tile.height = source.height.baseVal.value * scale;
  const inner = tile.getContext("2d");
  if (inner === null) return null;
  inner.scale(scale, scale);
  for (const child of source.children) paintPath(inner, child, getComputedStyle(child), 1);
  const made = context.createPattern(tile, "repeat");
  made?.setTransform(new DOMMatrix().scale(1 / scale));
  return made;
}

function paintLabel(context: CanvasRenderingContext2D, element: SVGTextElement, style: CSSStyleDeclaration, opacity: number): void {
  if (element.getNumberOfChars() === 0) return;
  // Where the browser begins the text, after its anchor and shifts.
  const { x, y } = element.getStartPositionOfChar(0);
  const text = element.textContent;
  context.globalAlpha = opacity;
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  if (style.stroke !== "none") {
    context.strokeStyle = style.stroke;
    context.lineWidth = Number.parseFloat(style.strokeWidth);
    context.lineJoin = "round";
    context.setLineDash([]);
    context.strokeText(text, x, y);
  }
  context.fillStyle = style.fill;
  context.fillText(text, x, y);
}
