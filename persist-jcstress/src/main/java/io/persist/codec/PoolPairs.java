package io.persist.codec;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What is lent goes from one thread to another: Pool.giveBack puts it into a free place, Pool.take empties that. */
public final class PoolPairs {

    private PoolPairs() {}

    /** What a thread does to a thing that is lent to it. */
    private static final class Thing {

        private int value;
        private int taken;
    }

    @JCStressTest
    @Description("Pool.giveBack, take: what its last user did to a thing.")
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "Not given back yet: another thing.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The thing, as it was given back.")
    @Outcome(expect = FORBIDDEN, desc = "The thing, as it was before.")
    @State
    public static class GivenBackThenTaken {

        private final Pool<Thing> pool = new Pool<>(() -> {
            Thing other = new Thing();
            other.value = -1;
            return other;
        });

        private final Thing thing = new Thing();

        @Actor
        public void giver() {
            thing.value = 1;
            pool.giveBack(thing);
        }

        @Actor
        public void taker(I_Result r) {
            r.r1 = pool.take().value;
        }
    }

    @JCStressTest
    @Description("Pool.take of two threads: compare-and-set and exchange give one thing to one of them.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Each has a thing of its own.")
    @Outcome(expect = FORBIDDEN, desc = "Both have one thing.")
    @State
    public static class TakenByOne {

        private final Pool<Thing> pool = new Pool<>(Thing::new);

        public TakenByOne() {
            pool.giveBack(new Thing());
        }

        @Actor
        public void one(II_Result r) {
            r.r1 = ++pool.take().taken;
        }

        @Actor
        public void other(II_Result r) {
            r.r2 = ++pool.take().taken;
        }
    }
}
