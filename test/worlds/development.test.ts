import { describeOperator } from './operator-suite';
import { developmentWorld } from './world';

describe('the operator on the development plane', () => describeOperator(developmentWorld, true));
