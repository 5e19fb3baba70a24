import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { BASE_PATH, serverURL } from "../../base-path.ts";
import { useProject } from "../../session/account.ts";
import { Select } from "../../ui/choice.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { fillIn, readSnippets } from "./sdk-pages.ts";

/** The pages of the documentation, each with the SDKs of one language. */
const PAGES = Object.entries(
  import.meta.glob<string>("../../../../../docs/connect/*.md", { query: "?raw", import: "default", eager: true }),
)
  .map(([path, markdown]) => ({ page: path.replace(/^.*\/(\w+)\.md$/, "$1"), snippets: readSnippets(markdown) }))
  .flatMap(({ page, snippets: [first, ...others] }) =>
    first ? [{ page, language: first.language, snippets: [first, ...others] as const }] : [],
  );
type Language = (typeof PAGES)[number];

const preferred = PAGES.find(({ page }) => page === "javascript") ?? PAGES[0];

/** The code that reads the gate, in each language and for each SDK of the documentation. */
export default function CodeDialog({ gate, onClose }: { gate: string; onClose: () => void }) {
  const [page, setPage] = useState(preferred?.page);
  const language = PAGES.find((one) => one.page === page);
  return (
    <Dialog title="Use in code" isOpen onClose={onClose} width="wide">
      <Select
        label="Language"
        options={PAGES.map((one) => ({ id: one.page, label: one.language }))}
        value={page ?? ""}
        onChange={setPage}
      />
      {language && <SDKs key={language.page} language={language} gate={gate} />}
    </Dialog>
  );
}

function SDKs({ language: { page, snippets }, gate }: { language: Language; gate: string }) {
  const { id: projectID } = useProject();
  const [chosen, setChosen] = useState<string>(snippets[0].sdk);
  const { sdk, code } = snippets.find((one) => one.sdk === chosen) ?? snippets[0];
  return (
    <>
      <Select label="SDK" options={snippets.map((one) => ({ id: one.sdk, label: one.sdk }))} value={sdk} onChange={setChosen} />
      {code.map(({ kind, text }) => (
        <Snippet key={text} text={fillIn(text, { gate, url: serverURL() })} label={kind === "sh" ? "Command" : "Code"} />
      ))}
      <p>
        Create a key on the page{" "}
        <Link to="/projects/$projectID/keys" params={{ projectID }}>
          Keys
        </Link>
        . Put it in the variable <code>GATEHOUSE_KEY</code>, or in place of <code>client-…</code>.{" "}
        <a href={`${BASE_PATH}/docs/connect/${page}`}>More about this SDK</a>
      </p>
    </>
  );
}
