import { Toasts } from "../ui/toast.tsx";
import { SignInAgain } from "./sign-in-again.tsx";

export default function Overlays() {
  return (
    <>
      <SignInAgain />
      <Toasts />
    </>
  );
}
