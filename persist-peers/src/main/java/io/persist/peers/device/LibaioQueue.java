package io.persist.peers.device;

import io.persist.bench.device.engine.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.apache.activemq.artemis.nativo.jlibaio.SubmitInfo;
import org.jspecify.annotations.Nullable;

/** The operations of a context of libaio that are in flight, and those that have ended and nobody has taken yet. */
final class LibaioQueue {

    /** What a context does, which needs its native library. */
    @FunctionalInterface
    interface Poll {
        /** Waits for {@code least} operations; returns how many have ended, whose slots are the first of the array. */
        int poll(Slot[] ended, int least, int most);
    }

    /** Has the device take what was written. */
    @FunctionalInterface
    interface Sync {
        void sync() throws IOException;
    }

    /** The block of an operation, told how that ended. */
    static final class Slot implements SubmitInfo {

        private final ByteBuffer block;
        private @Nullable Request request;
        private @Nullable String failure;

        Slot(ByteBuffer block) {
            this.block = block;
        }

        /** Returns the block that the operation reads or writes. */
        ByteBuffer begin(Request next) {
            request = next;
            failure = null;
            return block.clear();
        }

        @Override
        public void onError(int error, String message) {
            failure = "error " + error + ": " + message;
        }

        @Override
        public void done() {
            // Its poll returns it.
        }
    }

    private final Poll poll;
    private final Sync sync;
    private final Slot[] polled;
    private final Deque<Request> ended = new ArrayDeque<>();
    private int inFlight;

    LibaioQueue(int depth, Poll poll, Sync sync) {
        this.poll = poll;
        this.sync = sync;
        this.polled = new Slot[depth];
    }

    /** One more has begun. */
    void begun() {
        inFlight++;
    }

    /** Waits for one, and returns it. */
    Request await() throws IOException {
        if (ended.isEmpty()) {
            String failure = collect();
            if (failure != null) {
                throw new IOException("libaio failed with " + failure);
            }
        }
        return ended.remove();
    }

    /** Waits until nothing is in flight, whatever comes of it: the kernel uses the blocks until then. */
    void awaitAll() throws IOException {
        while (inFlight > 0) {
            collect();
        }
    }

    /** Takes all that have ended, of which there is one at least; returns why one of them failed, null if none has. */
    private @Nullable String collect() throws IOException {
        int count = poll.poll(polled, 1, polled.length);
        if (count <= 0) {
            throw new IOException("libaio ended with " + count);
        }
        inFlight -= count;
        boolean isSynced = false;
        String failure = null;
        for (int i = 0; i < count; i++) {
            Slot slot = polled[i];
            if (slot.failure == null) {
                Request request = Objects.requireNonNull(slot.request);
                isSynced |= request.isSynced();
                ended.add(request);
            } else {
                failure = slot.failure;
            }
        }
        if (isSynced) {
            sync.sync();
        }
        return failure;
    }
}
