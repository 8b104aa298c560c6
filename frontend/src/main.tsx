import { setNonce } from "get-nonce";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { showUnloaded } from "@/app/unloaded";
import { nonce } from "@/shared/nonce";
import { startI18n } from "@/shared/i18n";
import "@mantine/core/styles.css";
import "@/app/tokens.css";

setNonce(nonce());
const root = document.getElementById("root")!;
startI18n().then(
  () => createRoot(root).render(<App />),
  () => showUnloaded(root),
);
