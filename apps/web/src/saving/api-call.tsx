import { useState } from "react";
import type { Timing, Write } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { Snippet } from "../ui/copy.tsx";
import { describeCall } from "./call-text.ts";

/** The page's request, as a curl line and as a line of the client. */
export function ApiCall({ write, timing }: { write: Write; timing?: Timing | undefined }) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <div>
        <Button look="quiet" onPress={() => setOpen(true)}>
          View API request
        </Button>
      </div>
    );
  const { curl, client } = describeCall(write, timing);
  return (
    <>
      <Snippet text={curl} label="curl" />
      <Snippet text={client} label="TypeScript client" />
    </>
  );
}
