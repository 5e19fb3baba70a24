import { Loading } from "../ui/notice.tsx";
import styles from "./page.module.css";

export function PageLoading() {
  return (
    <div className={styles.page}>
      <Loading label="Loading page" />
    </div>
  );
}
