import { type ReactNode, useRef, useState } from "react";
import { Button, Tooltip, TooltipTrigger } from "react-aria-components";
import styles from "./explained.module.css";

type Props = {
  /** Read aloud in place of the text, which it has to contain: Mean of the control group: 41.3. */
  name: string;
  tip: ReactNode;
  children: ReactNode;
};

/** A part of the text that explains itself on hover, on keyboard focus, and when it is pressed or touched. */
export function Explained({ name, tip, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const term = useRef<HTMLButtonElement>(null);
  // Within the page or dialog that it explains, so that readers find it there.
  const container = isOpen ? term.current?.closest("main, [role=dialog], [role=alertdialog]") : undefined;
  return (
    <TooltipTrigger delay={250} closeDelay={0} isOpen={isOpen} onOpenChange={setOpen} shouldCloseOnPress={false}>
      <Button ref={term} className={styles.term ?? ""} aria-label={name} onPress={() => setOpen(true)}>
        {children}
      </Button>
      <Tooltip className={styles.tip ?? ""} offset={6} {...(container && { UNSTABLE_portalContainer: container })}>
        {tip}
      </Tooltip>
    </TooltipTrigger>
  );
}
