import { Outlet } from "@tanstack/react-router";

export function Root() {
  return <Outlet />;
}
