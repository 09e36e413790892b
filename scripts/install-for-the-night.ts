/** Installs what the tests of `npm run test:nightly` need beside the root: they are slow tests of these suites. */
import { installDebianPackages } from "./install-debian-packages.ts";
import { installPackages } from "./install-packages.ts";
import { joinSuites } from "./suites.ts";

const { installs, debianPackages = [] } = joinSuites(["exam", "beside"]);
for (const folder of installs) await installPackages(folder);
installDebianPackages(debianPackages);
