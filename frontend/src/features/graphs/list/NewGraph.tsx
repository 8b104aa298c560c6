import { Button, Modal, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { graphCreate, graphSave } from "../requests/graphRequests";

const NAME = /^[\p{L}\p{N}_-]{1,64}$/u;

/** Makes a graph, from its text or from a name, and opens it. */
export function useCreateGraph(onDone?: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (from: string | { name: string; desc: string }) => {
      if (typeof from === "string") return graphCreate(from);
      const { newGraphText, withFirstStep } = await import("./newGraphText");
      const empty = newGraphText(from.name, from.desc);
      const { revision } = await graphCreate(withFirstStep(empty));
      return graphSave(from.name, { yaml: empty, base_revision: revision });
    },
    onSuccess: (graph) => {
      void queries.invalidateQueries({ queryKey: ["graphs"] });
      onDone?.();
      void navigate({ to: "/graphs/$name", params: { name: graph.name } });
    },
  });
}

/** A new graph needs a name; the rest is written in the editor. */
export function NewGraph({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [desc, setDesc] = useState("");
  const create = useCreateGraph(onClose);
  const wrong = name !== "" && !NAME.test(name.trim());
  const taken = create.error instanceof ApiError && create.error.field("name");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!wrong && name.trim()) create.mutate({ name: name.trim(), desc: desc.trim() });
  };
  return (
    <Modal opened onClose={onClose} title={t("graphs.new")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={submit} style={{ display: "grid", gap: 12 }}>
        <TextInput
          label={t("tools.name")}
          description={t("tools.nameHint")}
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          data-autofocus
          error={wrong ? t("tools.nameWrong") : taken || undefined}
          required
          withAsterisk={false}
          placeholder="order_desk"
          spellCheck={false}
        />
        <Textarea
          label={t("tools.desc")}
          description={t("graphs.descHint")}
          value={desc}
          onChange={(e) => setDesc(e.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={6}
        />
        <ErrorLine error={taken ? null : create.error} />
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={wrong}>
            {t("tools.create")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
