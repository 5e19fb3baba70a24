import { type ReactNode, useState } from "react";
import { Form } from "react-aria-components";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./comment.module.css";
import { CommentField } from "./comment-field.tsx";
import { type Mentioned, namedIn } from "./mentions.ts";

type Written = { text: string; mentions?: string[] };

type Props = {
  label?: string;
  /** The button that sends it. */
  action: string;
  /** The text to change, and the people that it mentions. */
  text?: string;
  mentions?: readonly Mentioned[];
  /** Sends it. A failure is shown. */
  send: (written: Written) => Promise<unknown>;
  /** Beside the button. */
  children?: ReactNode;
};

/** Writes a comment, or changes one. */
export function CommentForm({ label, action, text: before = "", mentions: known = [], send, children }: Props) {
  const [text, setText] = useState(before);
  const [people, setPeople] = useState(known);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async () => {
    setPending(true);
    setError(undefined);
    try {
      const mentions = [...new Set(namedIn(text, people).map(({ id }) => id))];
      await send({ text: text.trim(), ...(mentions.length > 0 && { mentions }) });
      setText(before);
      setPeople(known);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <Form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <CommentField
        {...(label !== undefined && { label })}
        value={text}
        onChange={setText}
        onMention={(person) => setPeople([...people, person])}
      />
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      <div className={styles.row}>
        <Button type="submit" isPending={isPending} disabledReason={text.trim() === "" ? "Enter a comment first." : undefined}>
          {action}
        </Button>
        {children}
      </div>
    </Form>
  );
}
