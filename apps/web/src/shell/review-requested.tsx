import { useNavigate } from "@tanstack/react-router";
import { currentProjectID, type Schema } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** Says that a change was stored as a review instead of being made, and leads to it. */
export default function ReviewRequested({ review, onClose }: { review: Schema<"Review">; onClose: () => void }) {
  const navigate = useNavigate();
  const { id } = review;
  const show = () => {
    onClose();
    void navigate({ to: "/projects/$projectID/reviews/$id", params: { projectID: currentProjectID() ?? "", id } });
  };
  return (
    <Dialog
      title="Review requested"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Close</Button>
          <Button look="primary" onPress={show}>
            View review
          </Button>
        </>
      }
    >
      <p>Your change isn’t live yet. It has to be approved and published first.</p>
    </Dialog>
  );
}
