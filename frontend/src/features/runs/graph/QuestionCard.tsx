import { Button, Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import { IconHelpCircle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parseExact } from "@/shared/json/exact";
import { useMay } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { runCommand } from "../requests/runCommand";
import type { GraphVisit, Question } from "./fold";
import classes from "./Graph.module.css";

type Plain = Record<string, unknown>;
const isMap = (value: unknown): value is Plain => typeof value === "object" && value !== null && !Array.isArray(value);

interface Field {
  name: string;
  label: string;
  description: string;
  type: string;
  choices: string[] | null;
  required: boolean;
  initial: string;
}

function fieldsOf(schema: unknown): Field[] {
  if (!isMap(schema) || !isMap(schema.properties)) return [];
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
  return Object.entries(schema.properties).map(([name, given]) => {
    const property = isMap(given) ? given : {};
    return {
      name,
      label: typeof property.title === "string" ? property.title : name,
      description: typeof property.description === "string" ? property.description : "",
      type: typeof property.type === "string" ? property.type : "json",
      choices: Array.isArray(property.enum) ? property.enum.map(String) : null,
      required: required.has(name),
      initial: property.default === undefined ? "" : String(property.default),
    };
  });
}

/** What was typed as what the schema wants; what isn't JSON where JSON is wanted is sent as text and refused there. */
function typed(field: Field, text: string): unknown {
  if (field.type === "boolean") return text === "true";
  if (field.type === "string") return text;
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

function FormFields({ fields, values, onSet }: { fields: Field[]; values: Plain; onSet: (values: Plain) => void }) {
  const set = (name: string) => (text: string) => onSet({ ...values, [name]: text });
  return fields.map((field): ReactNode => {
    const value = String(values[field.name] ?? field.initial);
    const shared = { label: field.label, description: field.description || undefined, required: field.required };
    if (field.type === "boolean")
      return (
        <Checkbox
          key={field.name}
          label={field.label}
          description={field.description || undefined}
          checked={value === "true"}
          onChange={(e) => set(field.name)(String(e.currentTarget.checked))}
        />
      );
    if (field.choices)
      return (
        <Select
          key={field.name}
          {...shared}
          data={field.choices}
          value={value || null}
          onChange={(choice) => set(field.name)(choice ?? "")}
        />
      );
    const number = field.type === "integer" || field.type === "number";
    if (field.type === "string" || number)
      return (
        <TextInput
          key={field.name}
          {...shared}
          value={value}
          inputMode={number ? "decimal" : undefined}
          onChange={(e) => set(field.name)(e.currentTarget.value)}
        />
      );
    return (
      <Textarea
        key={field.name}
        {...shared}
        value={value}
        autosize
        minRows={2}
        onChange={(e) => set(field.name)(e.currentTarget.value)}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      />
    );
  });
}

function formValue(fields: Field[], values: Plain): Plain {
  return Object.fromEntries(
    fields
      .map((field) => [field, String(values[field.name] ?? field.initial)] as const)
      .filter(([field, text]) => text !== "" || field.required || field.type === "boolean")
      .map(([field, text]) => [field.name, typed(field, text)]),
  );
}

interface AnswerProps {
  question: Question;
  disabled: boolean;
  pending: boolean;
  onAnswer: (value: unknown) => void;
}

function AnswerFields({ question, disabled, pending, onAnswer }: AnswerProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [values, setValues] = useState<Plain>({});
  const form = (value: () => unknown) => (event: FormEvent) => {
    event.preventDefault();
    onAnswer(value());
  };
  const send = (
    <Button type="submit" loading={pending} disabled={disabled}>
      {t("run.ask.send")}
    </Button>
  );
  switch (question.kind) {
    case "confirm":
      return (
        <div className="row">
          <Button loading={pending} disabled={disabled} onClick={() => onAnswer(true)}>
            {t("run.ask.yes")}
          </Button>
          <Button variant="default" disabled={disabled || pending} onClick={() => onAnswer(false)}>
            {t("run.ask.no")}
          </Button>
        </div>
      );
    case "choice":
      return (
        <div className="row" style={{ flexWrap: "wrap" }}>
          {(question.choices ?? []).map((choice) => (
            <Button
              key={String(choice)}
              variant="default"
              disabled={disabled || pending}
              onClick={() => onAnswer(choice)}
            >
              {String(choice)}
            </Button>
          ))}
        </div>
      );
    case "form": {
      const fields = fieldsOf(question.schema);
      return (
        <form className={classes.form} onSubmit={form(() => formValue(fields, values))}>
          <FormFields fields={fields} values={values} onSet={setValues} />
          <div>{send}</div>
        </form>
      );
    }
    default:
      return (
        <form className={classes.form} onSubmit={form(() => text)}>
          <Textarea
            label={t("run.ask.answer")}
            value={text}
            autosize
            minRows={2}
            maxRows={8}
            onChange={(e) => setText(e.currentTarget.value)}
          />
          <div>{send}</div>
        </form>
      );
  }
}

interface Props {
  run: string;
  visit: GraphVisit;
  /** It is looked at as it was: it can't be answered. */
  past?: boolean;
  onAnswered?: () => void;
}

/** What a run asks a person, and the way to answer. */
export function QuestionCard({ run, visit, past, onAnswered }: Props) {
  const { t } = useTranslation();
  const may = useMay("runs.control");
  const answer = useMutation({
    mutationFn: (value: unknown) => runCommand(run, { command: "answer", visit: visit.id, value }),
    onSuccess: onAnswered,
  });
  const question = visit.question;
  if (!question) return null;
  return (
    <section className={classes.question} aria-label={t("run.ask.from", { node: visit.node })}>
      <IconHelpCircle size={18} aria-hidden="true" />
      <div className="grow">
        <p className="muted small">{t("run.ask.from", { node: visit.node })}</p>
        <p className={classes.asked}>{String(question.question)}</p>
        <AnswerFields
          question={question}
          disabled={!may || past === true}
          pending={answer.isPending || answer.isSuccess}
          onAnswer={(value) => answer.mutate(value)}
        />
        {!may && <p className="muted small">{t("run.ask.mayNot")}</p>}
        <ErrorLine error={answer.error} />
      </div>
    </section>
  );
}
