import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { BASE_PATH, serverURL } from "../base-path.ts";
import { useProject } from "../session/account.ts";
import { Select } from "../ui/choice.tsx";
import { Snippet } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { type CodeKind, fillIn, snippetsOf } from "./sdk-pages.ts";

const MARKDOWN = Object.entries(
  import.meta.glob<string>("../../../../docs/connect/*.md", { query: "?raw", import: "default", eager: true }),
).map(([path, markdown]) => ({ page: path.replace(/^.*\/(\w+)\.md$/, "$1"), markdown }));

/** The pages of the documentation that read such an entity, each with the SDKs of one language. */
const pagesOf = (kind: CodeKind) =>
  MARKDOWN.map(({ page, markdown }) => ({ page, snippets: snippetsOf(kind, page, markdown) })).flatMap(
    ({ page, snippets: [first, ...others] }) => (first ? [{ page, language: first.language, snippets: [first, ...others] as const }] : []),
  );
type Language = ReturnType<typeof pagesOf>[number];

type Props = { kind: CodeKind; id: string; onClose: () => void };

/** The code that reads an entity, in each language and for each SDK of the documentation. */
export default function CodeDialog({ kind, id, onClose }: Props) {
  const pages = useMemo(() => pagesOf(kind), [kind]);
  const [page, setPage] = useState("javascript");
  const language = pages.find((one) => one.page === page) ?? pages[0];
  return (
    <Dialog title="Use in code" isOpen onClose={onClose} width="wide">
      <Select
        label="Language"
        options={pages.map((one) => ({ id: one.page, label: one.language }))}
        value={language?.page ?? ""}
        onChange={setPage}
      />
      {language && <SDKs key={language.page} language={language} id={id} />}
    </Dialog>
  );
}

/** Says where to put the key in the code. */
function KeyPlace({ code }: { code: string }) {
  if (code.includes("client-…")) {
    return (
      <>
        Put it in place of <code>client-…</code>.{" "}
      </>
    );
  }
  if (!code.includes("GATEHOUSE_KEY")) return null;
  return (
    <>
      Put it in the variable <code>GATEHOUSE_KEY</code>.{" "}
    </>
  );
}

function SDKs({ language: { page, snippets }, id }: { language: Language; id: string }) {
  const { id: projectID } = useProject();
  const [chosen, setChosen] = useState<string>(snippets[0].sdk);
  const { sdk, code } = snippets.find((one) => one.sdk === chosen) ?? snippets[0];
  return (
    <>
      <Select label="SDK" options={snippets.map((one) => ({ id: one.sdk, label: one.sdk }))} value={sdk} onChange={setChosen} />
      {code.map(({ kind, text }) => (
        <Snippet key={text} text={fillIn(text, { id, url: serverURL() })} label={kind === "sh" ? "Command" : "Code"} />
      ))}
      <p>
        Create a key on the page{" "}
        <Link to="/projects/$projectID/keys" params={{ projectID }}>
          Keys
        </Link>
        . <KeyPlace code={code.map(({ text }) => text).join()} />
        <a href={`${BASE_PATH}/docs/connect/${page}`}>More about this SDK</a>
      </p>
    </>
  );
}
