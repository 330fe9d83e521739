import fc from "fast-check";

/** What chance begins with in every property: the same in each run, or TRUEREF_SEED. */
const seed = Number(process.env["TRUEREF_SEED"] ?? 20261122);
console.log(`# TRUEREF_SEED=${seed}`);
fc.configureGlobal({ seed });
