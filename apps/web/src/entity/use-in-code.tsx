import { CodeXml } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "../ui/button.tsx";
import { soonDialog } from "../ui/soon.tsx";
import type { CodeKind } from "./sdk-pages.ts";

const CodeDialog = soonDialog(() => import("./code-dialog.tsx"));

/** Shows the code that reads an entity. */
export function UseInCode({ kind, id }: { kind: CodeKind; id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <CodeXml aria-hidden="true" />
        Use in code
      </Button>
      <Suspense>{isOpen && <CodeDialog kind={kind} id={id} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
