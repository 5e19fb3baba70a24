import { type RefObject, useState } from "react";
import { Button, type ButtonProps } from "../ui/button.tsx";
import { downloadFile } from "../ui/download.ts";
import styles from "./charts.module.css";

type Props = Pick<ButtonProps, "look"> & {
  /** The element that is drawn. */
  of: RefObject<HTMLElement | null>;
  /** Of the file, without its ending. */
  name: string;
  /** Of the button for assistive technology, if several pictures are on a page. */
  label?: string;
  /** A line above the picture, for elements without a title. */
  heading?: string;
};

/** Saves an element as a picture. */
export function PictureButton({ of, name, label, heading, look }: Props) {
  const [state, setState] = useState<"ready" | "pending" | "failed">("ready");
  async function save() {
    if (of.current === null) return;
    setState("pending");
    try {
      const { toPng } = await import("./picture.ts");
      downloadFile(`${fileName(name)}.png`, [await toPng(of.current, heading)]);
      setState("ready");
    } catch {
      setState("failed");
    }
  }
  return (
    <>
      {state === "failed" && (
        <span className={styles.unit} role="alert">
          Couldn’t download the PNG.
        </span>
      )}
      <Button
        {...(look && { look })}
        isPending={state === "pending"}
        onPress={() => void save()}
        {...(label !== undefined && { "aria-label": label })}
      >
        Download PNG
      </Button>
    </>
  );
}

/** A name that every file system accepts. */
const fileName = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^\p{Letter}\p{Number}]+/gu, "_")
    .replace(/^_|_$/g, "")
    .slice(0, 80) || "picture";
