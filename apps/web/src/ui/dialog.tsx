import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { IconButton } from "./button.tsx";
import styles from "./dialog.module.css";

type Props = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** The buttons, from the least to the most important. */
  actions?: ReactNode;
  children: ReactNode;
  width?: "narrow" | "wide";
  /** The dialog has to be answered: neither Escape nor a click beside it closes it. */
  isDemanding?: boolean;
  /** The dialog has no part that takes the focus, so its text does: the keyboard can then scroll it. */
  isText?: boolean;
};

/** A click beside a dialog never closes it, since typed text would be lost. */
export function Dialog({ title, isOpen, onClose, actions, children, width = "narrow", isDemanding = false, isText = false }: Props) {
  return (
    <ModalOverlay
      className={styles.overlay ?? ""}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isKeyboardDismissDisabled={isDemanding}
    >
      <Modal className={`${styles.modal} ${styles[width]}`}>
        <AriaDialog className={styles.dialog ?? ""} {...(isDemanding && { role: "alertdialog" as const })}>
          <header className={styles.header}>
            <Heading slot="title">{title}</Heading>
            {!isDemanding && (
              <IconButton label="Close" onPress={onClose}>
                <X aria-hidden="true" />
              </IconButton>
            )}
          </header>
          <div className={styles.body} {...(isText && { tabIndex: 0, role: "region", "aria-label": title })}>
            {children}
          </div>
          {actions !== undefined && <footer className={styles.footer}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
