import { proveNoLeaks } from "./matrix-of-role.ts";

proveNoLeaks(2);
