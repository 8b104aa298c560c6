import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./HelpPanel.module.css";
import { type Word, WORDS, wordsWith } from "./helpWords";

/** The words that the product uses, by what they are about; a text finds those that speak of it. */
export function HelpWords() {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState("");
  const textOf = (word: Word) => `${t(`help.word.${word}.name`)} ${t(`help.word.${word}.text`)}`;
  const parts = (Object.keys(WORDS) as (keyof typeof WORDS)[])
    .map((about) => ({ about, words: wordsWith<Word>(WORDS[about], wanted, textOf) }))
    .filter(({ words }) => words.length > 0);
  return (
    <>
      <h2>{t("help.words")}</h2>
      <TextInput
        mt={8}
        aria-label={t("help.find")}
        placeholder={t("help.find")}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <div role="status" className="muted small">
        {parts.length === 0 && <p className={classes.nothing}>{t("help.nothing")}</p>}
      </div>
      {parts.map(({ about, words }) => (
        <section key={about} aria-labelledby={`help-${about}`}>
          <h3 id={`help-${about}`} className={classes.about}>
            {t(`help.about.${about}`)}
          </h3>
          <dl className={classes.words}>
            {words.map((word) => (
              <div key={word}>
                <dt>{t(`help.word.${word}.name`)}</dt>
                <dd>{t(`help.word.${word}.text`)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}
