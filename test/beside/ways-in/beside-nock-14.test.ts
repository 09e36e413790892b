import { eachAnswersItsOwn, mockBy, nockOf } from "./another-mock.ts";

const nock = await nockOf("nock-14");

eachAnswersItsOwn("nock 14", mockBy(nock, { isStrict: false }));
eachAnswersItsOwn("nock 14 that disables the network", mockBy(nock, { isStrict: true }));
