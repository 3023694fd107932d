package io.persist.index.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Keys that are looked up without the lock while a transaction is taken over. The nodes are those of {@link
 * LiveViewPairs}.
 */
public final class LookupPairs {

    private LookupPairs() {}

    /**
     * A transaction that puts a key and removes it by a range: nobody may ever find it. The thread with the lock is a
     * mirror of StoreState.apply and settle, the reader one of KeyFinder. The key is there if node 0 has a 1.
     */
    private static class KeyInRemovedRange extends LiveViewPairs.Nodes {

        volatile boolean isSettled = true;

        final void applyAndSettle() {
            table.change(0);
            first = 1;
            isSettled = false;
            table.show(0, 1);
            table.change(0);
            first = 0;
            table.show(0, 1);
            isSettled = true;
        }
    }

    @JCStressTest
    @Description("Mirror of KeyFinder.isTrue and StoreState: settled is asked for after the look, then the places.")
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "The reader has to look again.")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "There is no such key.")
    @Outcome(id = "1", expect = FORBIDDEN, desc = "A key that was removed by the transaction which has put it.")
    @State
    public static class LookedUpInRange extends KeyInRemovedRange {

        @Actor
        public void commit() {
            applyAndSettle();
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = AGAIN;
            if (isSettled) {
                long place = place(0);
                int found = first;
                if (!isChanging(place) && isSettled && isStill(0, place)) {
                    r.r1 = found;
                }
            }
        }
    }

    @JCStressTest
    @Description("Negative control of LookedUpInRange: settled is not asked for after the look.")
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "The reader has to look again.")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "There is no such key.")
    @Outcome(id = "1", expect = ACCEPTABLE_INTERESTING, desc = "The removed key: settled has to be asked for again.")
    @State
    public static class RangeWithoutSecondLook extends KeyInRemovedRange {

        @Actor
        public void commit() {
            applyAndSettle();
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = AGAIN;
            if (isSettled) {
                long place = place(0);
                int found = first;
                if (!isChanging(place) && isStill(0, place)) {
                    r.r1 = found;
                }
            }
        }
    }

    @JCStressTest
    @Description("Mirror of ShownEnd.set and await, then a lookup: what is committed before the end is found.")
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "The end is not seen: the reader takes the lock.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The change.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "The end is seen, and the change is not.")
    @State
    public static class ShownEndThenFound extends LiveViewPairs.Nodes {

        final AtomicLong end = new AtomicLong();

        @Actor
        public void commit() {
            changeFirst();
            end.setRelease(96);
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = end.getAcquire() < 96 ? AGAIN : read(0);
        }
    }
}
