import { SessionFrame } from "./frame.tsx";

export default function NoProjectPage() {
  return (
    <SessionFrame title="No project yet">
      <p>You aren’t a member of any project. Ask a colleague to invite you, then reload this page.</p>
    </SessionFrame>
  );
}
