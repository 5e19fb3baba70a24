import type { ReactNode } from "react";
import styles from "./paint.module.css";

/** The look of a series: a number from 0 on, or one of the two that are not series. */
export type Paint = number | "rest" | "free";

const FILLS = [styles.fill1, styles.fill2, styles.fill3, styles.fill4, styles.fill5, styles.fill6];
const LINES = [styles.line1, styles.line2, styles.line3, styles.line4, styles.line5, styles.line6];

/** Drawn over the colour, so that no two series differ by colour alone. */
const PATTERNS: readonly ReactNode[] = [
  null,
  <path key="rising" className={styles.mark} d="M-2,2 L2,-2 M0,8 L8,0 M6,10 L10,6" />,
  <circle key="dots" className={styles.dot} cx={4} cy={4} r={1.5} />,
  <path key="level" className={styles.mark} d="M0,2 H8 M0,6 H8" />,
  <path key="falling" className={styles.mark} d="M6,-2 L10,2 M0,0 L8,8 M-2,6 L2,10" />,
  <path key="crossed" className={styles.mark} d="M4,0 V8 M0,4 H8" />,
  <path key="upright" className={styles.mark} d="M2,0 V8 M6,0 V8" />,
];

const DASHES = ["", "8 4", "2 3", "10 3 2 3", "5 2", "1 4", "12 5"];

/** Six colours and seven patterns make 42 different pairs. */
const patternIndex = (index: number): number => index % PATTERNS.length;

const key = (paint: Paint): string => (typeof paint === "number" ? String(paint % (FILLS.length * PATTERNS.length)) : paint);

/** The value of a `fill` attribute, where `Paints` of the same prefix are in the document. */
export const fillUrl = (prefix: string, paint: Paint): string => `url(#${prefix}${key(paint)})`;

export const lineClass = (index: number): string | undefined => LINES[index % LINES.length];
export const dashArray = (index: number): string | undefined => DASHES[patternIndex(index)] || undefined;

/** Defines the fills of a chart. Goes into one of its SVGs. */
export function Paints({ prefix, paints }: { prefix: string; paints: readonly Paint[] }) {
  return (
    <defs>
      {paints.map((paint) => (
        <pattern key={key(paint)} id={`${prefix}${key(paint)}`} width={8} height={8} patternUnits="userSpaceOnUse">
          <rect width={8} height={8} className={fillClass(paint)} />
          {paint === "free" ? (
            <path className={styles.freeMark} d="M-2,2 L2,-2 M0,8 L8,0 M6,10 L10,6" />
          ) : (
            typeof paint === "number" && PATTERNS[patternIndex(paint)]
          )}
        </pattern>
      ))}
    </defs>
  );
}

/** The plain colour, without its pattern. */
export function fillClass(paint: Paint): string | undefined {
  if (paint === "rest") return styles.fillRest;
  return paint === "free" ? styles.fillFree : FILLS[paint % FILLS.length];
}
