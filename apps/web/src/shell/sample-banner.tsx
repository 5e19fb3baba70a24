import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { queryClient } from "../api.ts";
import { IconButton } from "../ui/button.tsx";
import { RemoveSample } from "./remove-sample.tsx";
import { useSample } from "./sample.ts";
import styles from "./sample-banner.module.css";
import { useSampleHidden } from "./sample-hidden.ts";

/** Says on every page of the sample project what it is, how far it is loaded, and offers its removal. */
export default function SampleBanner() {
  const sample = useSample();
  const before = useRef(sample?.state);
  useEffect(() => {
    // Pages were read before the results existed.
    if (before.current === "loading" && sample?.state === "ready") void queryClient.invalidateQueries();
    before.current = sample?.state;
  }, [sample?.state]);
  const [isHidden, hide] = useSampleHidden();
  if (isHidden) return null;
  return (
    <section className={styles.banner} aria-label="Sample project">
      <p>
        <strong>Sample project.</strong>{" "}
        {sample?.state === "loading"
          ? `Loading: ${sample.loadedDays} of ${sample.days} days. Results follow in a few seconds.`
          : "Harbor Lane is a made-up shop. Try anything here: your other projects don’t change."}
      </p>
      <RemoveSample />
      <IconButton label="Hide until you close this tab" onPress={hide}>
        <X aria-hidden="true" />
      </IconButton>
    </section>
  );
}
