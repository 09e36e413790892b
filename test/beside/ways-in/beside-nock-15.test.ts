import nock from "nock";
import { eachAnswersItsOwn, mockBy } from "./another-mock.ts";

nock.restore();

eachAnswersItsOwn("nock 15", mockBy(nock, { isStrict: false }));
eachAnswersItsOwn("nock 15 that disables the network", mockBy(nock, { isStrict: true }));
