// How verdicts look. Pure.
import type { Tone } from "../ui/badge.tsx";
import type { Verdict } from "./verdicts.ts";

export const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = { better: "good", worse: "bad", kept: "good", none: "off", unknown: "plain" };
