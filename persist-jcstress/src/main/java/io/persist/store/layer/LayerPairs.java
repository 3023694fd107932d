package io.persist.store.layer;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** What lies over an index, which a snapshot reads without the lock while the store goes on with it. */
public final class LayerPairs {

    private static final int ENTRY = TransactionLayout.HEADER_LENGTH;
    private static final byte[] KEY = {1, 2, 3};
    private static final int VALUE_LENGTH = 5;

    private LayerPairs() {}

    /** A transaction that puts one key, and the layer of it that a snapshot has. */
    private static class Put {

        final ByteBuffer changes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        final int[] forgotten = new int[2];
        final Layer layer;
        final KeyBuffer key = new KeyBuffer().set(KEY, 0, KEY.length);

        Put() {
            TransactionLayout.putEntryHeader(changes, ENTRY, KEY.length, VALUE_LENGTH, TransactionLayout.ENTRY_PUT);
            changes.put(ENTRY + TransactionLayout.ENTRY_HEADER_LENGTH, KEY);
            int end = ENTRY + TransactionLayout.entryLength(KEY.length, VALUE_LENGTH);
            ChangeOrder order = ChangeOrder.ofAll(changes, end, 1);
            layer = new Layer(changes, 0, order, 0, forgotten, 0, new RemovedRange[0]);
        }

        /** As PendingChanges.forget does it: the mark, and the note for snapshots that come later. */
        final void forget(int markOffset) {
            changes.put(ENTRY + markOffset, (byte) 0x80);
            forgotten[0] = ENTRY;
        }

        final void read(IIII_Result r) {
            int change = layer.find(key);
            r.r1 = change;
            r.r2 = change == 0 && layer.isPut(change) ? 1 : 0;
            r.r3 = change == 0 ? layer.length(change) : 0;
            r.r4 = layer.compare(0, key);
        }
    }

    @JCStressTest
    @Description("PendingChanges.forget and Layer.find: a later transaction replaces a change that a snapshot has.")
    @Outcome(id = "0, 1, 5, 0", expect = ACCEPTABLE, desc = "The snapshot has the change as it was.")
    @Outcome(expect = FORBIDDEN, desc = "The snapshot has seen something of what came later.")
    @State
    public static class ReadThenForgotten extends Put {

        @Actor
        public void store() {
            forget(TransactionLayout.ENTRY_FLAGS_OFFSET);
        }

        @Actor
        public void snapshot(IIII_Result r) {
            read(r);
        }
    }

    @JCStressTest
    @Description("Negative control: the mark in a byte that the snapshot reads.")
    @Outcome(id = "0, 1, 5, 0", expect = ACCEPTABLE, desc = "The snapshot has the change as it was.")
    @Outcome(id = "0, 0, 5, 0", expect = ACCEPTABLE_INTERESTING, desc = "The mark is taken for the type.")
    @Outcome(expect = FORBIDDEN, desc = "More than the type has changed.")
    @State
    public static class MarkInPlaceOfType extends Put {

        @Actor
        public void store() {
            forget(TransactionLayout.ENTRY_TYPE_OFFSET);
        }

        @Actor
        public void snapshot(IIII_Result r) {
            read(r);
        }
    }
}
