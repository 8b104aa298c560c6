import { Button, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import classes from "./Graph.module.css";
import { useStartGate } from "./startGate";

interface Props {
  disabled: boolean;
  /** Somebody speaks: nothing is sent until that has ended. */
  busy: boolean;
  /** Stays the same function, so that the field is not measured again with every word that streams above it. */
  onSay: (text: string) => Promise<void>;
}

/** Where the next message is written. */
export const SayField = memo(function SayField({ disabled, busy, onSay }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  // Known before this is drawn again: Enter may be there twice by then.
  const sending = useRef(false);
  const turn = useMutation({
    mutationFn: onSay,
    onSuccess: () => setText(""),
    onSettled: () => (sending.current = false),
  });
  const starting = useStartGate(({ pending }) => pending);
  // The next turn is another run: the field is there anew, and goes on being typed into.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const say = (event?: FormEvent) => {
    event?.preventDefault();
    if (!text.trim() || busy || sending.current || useStartGate.getState().pending) return;
    sending.current = true;
    turn.mutate(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!event.repeat) say();
  };
  return (
    <>
      <form className={classes.say} onSubmit={say}>
        <Textarea
          className="grow"
          ref={field}
          aria-label={t("run.chat.message")}
          placeholder={t("run.chat.message")}
          value={text}
          autosize
          minRows={1}
          maxRows={6}
          disabled={disabled}
          onChange={(e) => setText(e.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          leftSection={<IconSend size={14} />}
          loading={turn.isPending || starting}
          disabled={disabled || busy || text.trim() === ""}
        >
          {t("run.chat.send")}
        </Button>
      </form>
      <ErrorLine error={turn.error} />
    </>
  );
});
