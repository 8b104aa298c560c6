import { Button, Checkbox, NumberInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Said } from "@/shared/ui/Said";
import { METHODS, type StepForm } from "../../document/tool";
import { useEditor } from "../EditorContext";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { isCurl } from "../../curl/curlCommand";
import { useCurl } from "./CurlContext";
import { CurlOutcome } from "./CurlOutcome";
import { FormSelect } from "./FormSelect";
import { useForm, useProblem } from "./FormContext";
import { HeadersPart, QueryPart, useAddTo, VariablesPart } from "./StepParts";
import { StepSelect } from "./StepSelect";
import { TextField } from "./TextField";
import classes from "./Form.module.css";

interface Props {
  step: StepForm;
  index: number;
}

function Adds({
  step,
  index,
  body,
  onBody,
  result,
  onResult,
}: Props & { body: boolean; onBody: () => void; result: boolean; onResult: () => void }) {
  const { t } = useTranslation();
  const { readOnly } = useForm();
  const addTo = useAddTo({ step, index });
  const goTo = useEditor((state) => state.goTo);
  if (readOnly) return null;
  const show = (field: string, open: () => void) => () => {
    open();
    goTo({ path: `steps[${index}].${field}`, line: 1, column: 1, to: "form", select: true });
  };
  const adds = [
    { label: t("form.addQuery"), shown: step.query.length === 0, act: addTo.query },
    { label: t("form.addHeader"), shown: step.headers.length === 0, act: addTo.header },
    { label: t("form.addBody"), shown: !body, act: show("body", onBody) },
    { label: t("form.addVariable"), shown: step.vars.length === 0, act: addTo.variable },
    { label: t("form.addResult"), shown: !result, act: show("result", onResult) },
  ];
  return (
    <div className={classes.adds}>
      {adds
        .filter(({ shown }) => shown)
        .map(({ label, act }) => (
          <Button
            key={label}
            variant="light"
            color="gray"
            size="compact-xs"
            leftSection={<IconPlus size={12} />}
            onClick={act}
          >
            {label}
          </Button>
        ))}
    </div>
  );
}

function Options({ step, index, last }: Props & { last: boolean }) {
  const { t } = useTranslation();
  const { edit, readOnly } = useForm();
  const timeoutPath = ["steps", index, "timeout"];
  const timeoutProblem = useProblem(timeoutPath, false);
  const timeout = /^\d+$/.test(step.timeout.text) ? Number(step.timeout.text) : step.timeout.text;
  return (
    <div className={classes.two}>
      <StepSelect
        label={t("form.next")}
        path={["steps", index, "next"]}
        field={step.next}
        none={t(step.result.kind !== "absent" ? "form.endsHere" : last ? "form.nextIsResult" : "form.nextInOrder")}
      />
      <NumberInput
        label={t("form.timeout")}
        value={timeout}
        placeholder="30"
        min={1}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        readOnly={readOnly}
        error={timeoutProblem && <Said text={timeoutProblem} />}
        data-path={`steps[${index}].timeout`}
        suffix=" s"
        onChange={(value) => {
          const wanted = value === "" ? null : Number(value);
          if (wanted === null || Number.isSafeInteger(wanted))
            edit({ do: "whole", path: timeoutPath, value: wanted }, `timeout-${index}`);
        }}
      />
      <Checkbox
        className={classes.wide}
        label={t("form.cache")}
        description={t("form.cacheHint")}
        checked={step.cache.text === "true"}
        disabled={readOnly}
        data-path={`steps[${index}].cache`}
        onChange={(e) =>
          edit({ do: "flag", path: ["steps", index, "cache"], value: e.currentTarget.checked, optional: true })
        }
      />
    </div>
  );
}

/** Everything about one step. */
export function StepBody({ step, index, last }: Props & { last: boolean }) {
  const { t } = useTranslation();
  const { edit } = useForm();
  const curl = useCurl();
  const [wantsBody, setWantsBody] = useState(false);
  const [wantsResult, setWantsResult] = useState(false);
  const body = step.body.kind !== "absent" || wantsBody;
  const result = step.result.kind !== "absent" || wantsResult;
  const methodProblem = useProblem(["steps", index, "method"], false);
  const method = step.method.text.toUpperCase() || "GET";
  const methods = METHODS.includes(method as (typeof METHODS)[number]) ? [...METHODS] : [...METHODS, method];
  return (
    <div className={classes.stepBody}>
      <CurlOutcome step={index} />
      <div className={classes.urlRow}>
        <FormSelect
          aria-label={t("form.method")}
          data={methods}
          value={method}
          error={methodProblem && <Said text={methodProblem} />}
          data-path={`steps[${index}].method`}
          onChange={(value) => value && edit({ do: "text", path: ["steps", index, "method"], value })}
        />
        <TextField
          label={t("form.url")}
          hideLabel
          placeholder={t("form.urlPlaceholder")}
          path={["steps", index, "url"]}
          field={step.url}
          mono
          references={index}
          onPasted={(text) => {
            if (!isCurl(text)) return false;
            curl.paste(text, { step: index });
            return true;
          }}
        />
      </div>
      {curl.errorAt === index && <ErrorLine error={curl.error} />}
      <QueryPart step={step} index={index} />
      <HeadersPart step={step} index={index} />
      {body && (
        <TextField
          label={t("form.body")}
          path={["steps", index, "body"]}
          field={step.body}
          mono
          lines
          optional
          references={index}
        />
      )}
      <VariablesPart step={step} index={index} />
      {result && (
        <TextField
          label={t("form.result")}
          description={t("form.resultHint")}
          path={["steps", index, "result"]}
          field={step.result}
          lines
          optional
          references={index + 1}
        />
      )}
      <Adds
        step={step}
        index={index}
        body={body}
        onBody={() => setWantsBody(true)}
        result={result}
        onResult={() => setWantsResult(true)}
      />
      <Options step={step} index={index} last={last} />
    </div>
  );
}
