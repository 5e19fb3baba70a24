import { SessionFrame } from "./frame.tsx";

export default function NoProjectPage() {
  return (
    <SessionFrame title="No project yet">
      <p>You are signed in, but you are not a member of any project. Ask a colleague to invite you to theirs, then reload this page.</p>
    </SessionFrame>
  );
}
