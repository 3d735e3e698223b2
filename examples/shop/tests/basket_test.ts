// Functions whose name begins with Test are tests: `ananke run tests/basket_test.ts`.
import { total } from "../scripts/basket";

function TestShippingIsFreeFrom50(t: testing.T) {
  t.assert.Equal(total([{ name: "teapot", cents: 5000 }]), 5000);
  t.assert.Equal(total([{ name: "blue mug", cents: 1250 }]), 1740);
}

function TestNothingCostsNothing(t: testing.T) {
  t.assert.Equal(total([]), 0);
}
