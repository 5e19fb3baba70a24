import styles from "./comment.module.css";
import { type Part, partsOf } from "./mentions.ts";

type Comment = { text: string; mentions?: NonNullable<Part["person"]>[] | undefined };

/** The text of a comment. The mentioned people stand out. */
export function CommentText({ text, mentions = [] }: Comment) {
  return (
    <p className={styles.text}>
      <bdi>
        {partsOf(text, mentions).map((part, index) =>
          part.person ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change.
            <strong key={index} className={styles.mention} title={part.person.email ?? part.person.name}>
              <bdi>{part.text}</bdi>
            </strong>
          ) : (
            part.text
          ),
        )}
      </bdi>
    </p>
  );
}
