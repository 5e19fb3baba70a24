import { useState } from "react";
import { call, invalidate } from "../api.ts";
import { explain } from "../explain.ts";
import { useRefusal } from "../session/account.ts";
import { Button } from "../ui/button.tsx";
import { Snippet } from "../ui/copy.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import type { KeyType } from "./snippets.ts";
import styles from "./start.module.css";

const USES: Record<KeyType, string> = {
  SERVER: "A server key is for your own servers and terminals. Keep it secret.",
  CLIENT: "A client key is for apps and web pages, where users can see it.",
};
const NOUNS: Record<KeyType, string> = { SERVER: "server", CLIENT: "client" };

type Props = {
  value: string;
  onChange: (key: string) => void;
  /** The key type that the chosen SDK needs. */
  wanted: KeyType;
};

/** A key that is created here, or an existing one. */
export function KeyStep({ value, onChange, wanted }: Props) {
  const [made, setMade] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [pending, setPending] = useState<KeyType>();
  const refusal = useRefusal()("manage_keys");
  const make = async (type: KeyType) => {
    setPending(type);
    setError(undefined);
    try {
      const { data } = await call("createKey", { body: { type, description: "Created on the Get started page" } });
      setMade(data.key ?? "");
      onChange(data.key ?? "");
      await invalidate("listKeys", "listChanges");
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(undefined);
    }
  };
  const other: KeyType = wanted === "SERVER" ? "CLIENT" : "SERVER";
  const isMade = made !== undefined && made === value;
  return (
    <>
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      <p className={styles.soft}>{USES[wanted]}</p>
      <div className={styles.row}>
        {[wanted, other].map((type) => (
          <Button
            key={type}
            look={type === wanted && value === "" ? "primary" : "default"}
            onPress={() => void make(type)}
            isPending={pending === type}
            disabledReason={refusal}
          >
            Create a {NOUNS[type]} key
          </Button>
        ))}
      </div>
      {isMade ? (
        <>
          <Snippet text={made} label="Key" />
          <p className={styles.soft}>Copy it before you leave this page. It’s listed on the Keys page, without the secret.</p>
        </>
      ) : (
        <TextField
          label="Or paste an existing key"
          value={value}
          onChange={(given) => onChange(given.trim())}
          isCode
          autoComplete="off"
          placeholder="secret-… or client-…"
        />
      )}
    </>
  );
}
