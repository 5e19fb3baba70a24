import { FileTrigger } from "react-aria-components";
import { Button } from "./button.tsx";

type Props = { label: string /** File types in the system's dialog. */; accept: readonly string[]; onChoose: (file: File) => void };

/** Lets a person choose a file of theirs. The page alone reads it. */
export function FileButton({ label, accept, onChoose }: Props) {
  return (
    <FileTrigger
      acceptedFileTypes={accept}
      onSelect={(files) => {
        const file = files?.[0];
        if (file) onChoose(file);
      }}
    >
      <Button>{label}</Button>
    </FileTrigger>
  );
}
