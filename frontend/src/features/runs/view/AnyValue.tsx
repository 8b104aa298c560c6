import { tryParseJson } from "@/shared/json/exact";
import { JsonTree } from "@/shared/ui/JsonTree";
import { ValueView } from "@/shared/ui/ValueView";
import { type CutValue, isCut } from "../fold";
import { LongTextBlock } from "./AnswerView";
import { ShowAll, useWholeText } from "./CutText";

function Cut({ run, value, label }: { run: string; value: CutValue; label: string }) {
  const whole = useWholeText(run, value);
  const tree = whole.cut ? null : tryParseJson(whole.text);
  return (
    <div className="grow">
      {tree ? <JsonTree node={tree} label={label} open={1} /> : <LongTextBlock text={whole.text} label={label} />}
      <ShowAll whole={whole} />
    </div>
  );
}

/** Any value of a run; of one that came cut off its beginning, and the whole when asked for. */
export function AnyValue({ run, value, label }: { run: string; value: unknown; label: string }) {
  return isCut(value) ? <Cut run={run} value={value} label={label} /> : <ValueView value={value} label={label} />;
}
