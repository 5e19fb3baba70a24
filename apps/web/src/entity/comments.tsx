import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { call, invalidate, query, type Schema } from "../api.ts";
import { explain } from "../explain.ts";
import { type Permission, useAccount, useRefusal } from "../session/account.ts";
import { Confirm } from "../shell/confirm.tsx";
import { Section } from "../shell/page.tsx";
import { Pager } from "../shell/pager.tsx";
import { Button } from "../ui/button.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import styles from "./comment.module.css";
import { CommentForm } from "./comment-form.tsx";
import { CommentText } from "./comment-text.tsx";
import type { CommentedType } from "./commented.ts";
import { nameOf } from "./mentions.ts";

type Comment = Schema<"Comment">;

type Props = {
  type: CommentedType;
  id: string;
  noun: string;
  /** The permission to delete other people's comments. */
  permission: Permission;
};

const PAGE_SIZE = 100;
/** The most comments that an entity can have. */
const MAX_COMMENTS = 500;

const commentsOf = (type: CommentedType, id: string, page: number) =>
  query("listComments", { query: { type, id, limit: PAGE_SIZE, page } });

const readAgain = () => invalidate("listComments");

/** The comments on an entity, the latest last, and a new one. */
export default function Comments({ type, id, noun, permission }: Props) {
  const [chosenPage, setPage] = useState<number>();
  const { comment: linked } = useSearch({ strict: false }) as { comment?: string };
  const link = useLinkedPage(type, id, linked);
  const page = chosenPage ?? link.page ?? 1;
  const { data, error } = useQuery(commentsOf(type, id, page));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (data === undefined || (link.isPending && chosenPage === undefined)) return <Loading />;
  const comments = data.data.toReversed();
  return (
    <Section title="Comments" description={`Discuss this ${noun} with your team. Comments don’t change it.`}>
      {link.isDeleted && <Notice>The comment that this link leads to was deleted.</Notice>}
      {data.pagination.totalItems > PAGE_SIZE && <Pager pagination={data.pagination} noun="comments" onPage={setPage} />}
      {comments.length > 0 && (
        <ol className={styles.list} aria-label="Comments">
          {comments.map((comment) => (
            <Item
              key={comment.id}
              comment={comment}
              isLinked={comment.id === linked}
              takesFocus={chosenPage === undefined}
              permission={permission}
            />
          ))}
        </ol>
      )}
      <CommentForm
        action="Add comment"
        send={async (written) => {
          await call("createComment", { body: { entityType: type, entityID: id, ...written } });
          setPage(1);
          await readAgain();
        }}
      />
    </Section>
  );
}

/** The page with the comment that the address links to. Without a link, or if the comment was deleted, it has none. */
function useLinkedPage(type: CommentedType, id: string, linked: string | undefined) {
  const { data: newest } = useQuery({ ...commentsOf(type, id, 1), enabled: linked !== undefined });
  const isLinked = (comment: Comment) => comment.id === linked;
  const isOlder = linked !== undefined && newest !== undefined && newest.pagination.totalItems > PAGE_SIZE && !newest.data.some(isLinked);
  const { data: all } = useQuery({ ...query("listComments", { query: { type, id, limit: MAX_COMMENTS } }), enabled: isOlder });
  const searched = isOlder ? all : newest;
  const place = searched?.data.findIndex(isLinked) ?? -1;
  return {
    page: place < 0 ? undefined : Math.floor(place / PAGE_SIZE) + 1,
    isPending: isOlder && all === undefined,
    isDeleted: linked !== undefined && searched !== undefined && place < 0,
  };
}

type ItemProps = {
  comment: Comment;
  isLinked: boolean;
  /** Whether the linked comment gets the focus. */
  takesFocus: boolean;
  permission: Permission;
};

function Item({ comment, isLinked, takesFocus, permission }: ItemProps) {
  const { id, author, text, mentions = [], createdTime, editedTime } = comment;
  const [step, setStep] = useState<"edit" | "delete">();
  const item = useRef<HTMLLIElement>(null);
  const isOwn = useAccount().person.id === author.id;
  const mayDelete = useRefusal()(permission) === undefined;
  useEffect(() => {
    if (!isLinked || !takesFocus) return;
    item.current?.focus({ preventScroll: true });
    item.current?.scrollIntoView({ block: "center" });
  }, [isLinked, takesFocus]);
  const close = () => setStep(undefined);
  return (
    <li ref={item} className={styles.item} aria-current={isLinked || undefined} tabIndex={isLinked ? -1 : undefined}>
      <p className={styles.facts}>
        <span>
          <bdi>{nameOf(author)}</bdi> commented <Time time={createdTime} />
          {editedTime !== null && (
            <>
              , edited <Time time={editedTime} />
            </>
          )}
        </span>
      </p>
      {step === "edit" ? (
        <CommentForm
          label="Edit comment"
          action="Save comment"
          text={text}
          mentions={mentions}
          send={async (body) => {
            await call("patchComment", { path: { id }, body });
            await readAgain();
            close();
          }}
        >
          <Button onPress={close}>Cancel</Button>
        </CommentForm>
      ) : (
        <CommentText text={text} mentions={mentions} />
      )}
      {(isOwn || mayDelete) && step !== "edit" && (
        <div className={styles.row}>
          {isOwn && (
            <Button look="quiet" onPress={() => setStep("edit")}>
              Edit
            </Button>
          )}
          <Button look="quiet" onPress={() => setStep("delete")}>
            Delete
          </Button>
        </div>
      )}
      {step === "delete" && (
        <Confirm
          title="Delete comment"
          label="Delete"
          isDangerous
          done="The comment is deleted"
          act={() => call("deleteComment", { path: { id } })}
          onSettled={readAgain}
          onClose={close}
        >
          <p>
            {isOwn ? (
              "Your"
            ) : (
              <>
                <bdi>{nameOf(author)}</bdi>’s
              </>
            )}{" "}
            comment disappears for everyone. The audit log keeps its text.
          </p>
        </Confirm>
      )}
    </li>
  );
}
