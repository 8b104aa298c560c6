import { useEffect, useMemo, useState } from "react";
import { type JsonNode, tryParseJson } from "@/shared/json/exact";

const MOST_YAML = 200_000;

/** An answer's tree: JSON at once; YAML as soon as its reader is loaded, which most pages never need. */
export function useAnswerTree(text: string, whole: boolean): JsonNode | null {
  const json = useMemo(() => (whole ? tryParseJson(text) : null), [text, whole]);
  const [yaml, setYaml] = useState<JsonNode | null>(null);
  const wanted =
    whole && json === null && text.length < MOST_YAML && /^[^<]/.test(text.trimStart()) && /:\s|^\s*- /m.test(text);
  useEffect(() => {
    setYaml(null);
    if (!wanted) return;
    let gone = false;
    void import("@/shared/json/yamlTree").then(({ yamlTree }) => {
      if (!gone) setYaml(yamlTree(text));
    });
    return () => {
      gone = true;
    };
  }, [wanted, text]);
  return json ?? yaml;
}
