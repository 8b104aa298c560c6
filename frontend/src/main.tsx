import { setNonce } from "get-nonce";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { nonce } from "@/shared/nonce";
import { startI18n } from "@/shared/i18n";
import "@mantine/core/styles.css";
import "@/app/tokens.css";

setNonce(nonce());
await startI18n();
createRoot(document.getElementById("root")!).render(<App />);
