import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import styles from "./copy.module.css";

const CONFIRMED_MS = 2_000;

/** Copies a text. Plain http on another host than localhost has no clipboard: there the text is selected for the reader to copy. */
function CopyButton({ text, label, onFallback }: { text: string; label: string; onFallback?: () => void }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      onFallback?.();
    }
  };
  return (
    <IconButton label={isCopied ? "Copied" : label} onPress={copy}>
      {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
    </IconButton>
  );
}

/** A text to copy, such as a program or a key, as it is. */
export function Snippet({ text, label }: { text: string; label: string }) {
  const block = useRef<HTMLElement>(null);
  return (
    <div className={styles.snippet}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section ref={block} tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton
        text={text}
        label={`Copy ${label.toLowerCase()}`}
        onFallback={() => block.current && getSelection()?.selectAllChildren(block.current)}
      />
    </div>
  );
}

/** The SQL that computed what a page shows, folded until a reader opens it. */
export function FoldedSql({ text }: { text: string }) {
  return (
    <details>
      <summary>View SQL</summary>
      <Snippet label="SQL" text={text} />
    </details>
  );
}

/** Copies the address of the page. Without a clipboard, it shows the address for the reader to copy. */
export function CopyLinkButton() {
  const [state, setState] = useState<"idle" | "copied" | "shown">("idle");
  useEffect(() => {
    if (state !== "copied") return;
    const timer = setTimeout(() => setState("idle"), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setState("copied");
    } catch {
      setState("shown");
    }
  };
  return (
    <>
      <Button onPress={copy}>{state === "copied" ? "Link copied" : "Copy link"}</Button>
      {state === "shown" && <Snippet text={location.href} label="Link" />}
    </>
  );
}
