import { useEffect, useState } from "react";
import { call } from "../../api.ts";
import { explain } from "../../explain.ts";
import { Button } from "../../ui/button.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";

/** Creates recovery codes and shows them once. */
export default function RecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isShown = true;
    call("createRecoveryCodes").then(
      ({ data }) => isShown && setCodes(data.codes),
      (thrown) => isShown && setError(thrown),
    );
    return () => {
      isShown = false;
    };
  }, []);
  return (
    <Dialog
      title="Your recovery codes"
      isOpen
      onClose={onClose}
      isDemanding
      actions={
        <Button look="primary" onPress={onClose}>
          {codes === undefined ? "Close" : "I have saved the codes"}
        </Button>
      }
    >
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      {codes === undefined && error === undefined && <Loading label="Creating recovery codes" />}
      {codes !== undefined && (
        <>
          <Notice tone="warn" title="These codes are shown only now">
            Save them where you can find them without your phone. Each code works once in place of your second factor. Earlier codes no
            longer work.
          </Notice>
          <Snippet label="Recovery codes" text={codes.join("\n")} />
        </>
      )}
    </Dialog>
  );
}
