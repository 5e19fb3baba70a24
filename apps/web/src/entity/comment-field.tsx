import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import { query } from "../api.ts";
import { useAccount } from "../session/account.ts";
import { isFound, membersRequest } from "../session/members.ts";
import { personName } from "../session/names.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import styles from "./comment.module.css";
import { foundText, type Mentioned, searchAt, withMention } from "./mentions.ts";

const MAX_SUGGESTED = 5;
/** In characters. */
const MAX_COMMENT = 2_000;

type Member = Mentioned & { email: string };

type Props = {
  label?: string;
  value: string;
  onChange: (text: string) => void;
  /** Called with each person who is chosen after an @. */
  onMention: (person: Mentioned) => void;
};

/** A comment. After an @ it suggests members by their names and addresses. */
export function CommentField({ label = "Comment", value, onChange, onMention }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState<string>();
  const found = useMembersNamed(search);
  const area = () => frame.current?.querySelector("textarea");
  const updateSearch = () => setSearch(searchAt(area()?.value ?? "", area()?.selectionStart ?? 0));
  const close = () => {
    setSearch(undefined);
    area()?.focus();
  };
  const choose = (person: Mentioned) => {
    const { text, caret } = withMention(value, area()?.selectionStart ?? value.length, person.name);
    onChange(text);
    onMention(person);
    close();
    requestAnimationFrame(() => area()?.setSelectionRange(caret, caret));
  };
  const move = (event: KeyboardEvent, step: 1 | -1) => {
    const choices = [...(frame.current?.querySelectorAll<HTMLElement>("li button") ?? [])];
    const next = choices.indexOf(document.activeElement as HTMLElement) + step;
    if (choices.length === 0) return;
    event.preventDefault();
    (choices[next] ?? area())?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys reach it from the field and the buttons in it.
    <div
      ref={frame}
      className={styles.field}
      onKeyUp={({ target }) => target === area() && updateSearch()}
      onKeyDown={(event) => {
        if (search === undefined) return;
        if (event.key === "Escape") close();
        if (event.key === "ArrowDown") move(event, 1);
        if (event.key === "ArrowUp" && event.target !== area()) move(event, -1);
      }}
    >
      <TextField
        label={label}
        description="Type @ to mention someone."
        value={value}
        onChange={onChange}
        maxLength={MAX_COMMENT}
        rows={3}
      />
      <p role="status" className={styles.hidden}>
        {search === undefined ? "" : foundText(found.length)}
      </p>
      {found.length > 0 && (
        <ul className={styles.people} aria-label="People to mention">
          {found.map((person) => (
            <li key={person.id}>
              <Button look="quiet" onPress={() => choose(person)}>
                <bdi>{person.name}</bdi> <span className={styles.email}>{person.name === person.email ? "" : person.email}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function useMembersNamed(search: string | undefined): Member[] {
  const { person } = useAccount();
  const { data } = useQuery({ ...query("listUsers", membersRequest), enabled: search !== undefined });
  if (search === undefined) return [];
  const active = (data?.data ?? []).filter((member) => member.id !== person.id && member.isActive && isFound(member, search.trim()));
  return active.slice(0, MAX_SUGGESTED).map((member) => ({ id: member.id, name: personName(member), email: member.email }));
}
