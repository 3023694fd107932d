package io.persist.testkit;

import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Watches the operations of one life, and has one fault happen in it.
 *
 * <p><b>Threads:</b> any.
 */
final class Injection implements CrashableStorage.Hook {

    /** One of a life's operations: its text, and 1 for the first one with this text. */
    record Operation(String what, int occurrence) {

        /** Whether a full disk can make a difference here. */
        boolean mayGrow() {
            return what.startsWith("create ") || isWrite();
        }

        boolean isWrite() {
            return what.startsWith("write ");
        }
    }

    /** What a file's name has that is another one in each life, with the number of the process before it. */
    private static final Pattern UNIQUE = Pattern.compile("([0-9]+-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final CrashableStorage storage;
    private final @Nullable Fault fault;
    private final Loss loss;
    private final BiPredicate<Integer, Operation> place;

    /** For data that reaches the device before it is synced; null if none does. */
    private final @Nullable Random writeBack;

    private final Map<String, Integer> counts = new HashMap<>();
    private final List<Operation> before = new ArrayList<>();
    private @Nullable String struckAt;

    private Injection(
            CrashableStorage storage,
            @Nullable Fault fault,
            Loss loss,
            BiPredicate<Integer, Operation> place,
            @Nullable Random writeBack) {
        this.storage = storage;
        this.fault = fault;
        this.loss = loss;
        this.place = place;
        this.writeBack = writeBack;
        storage.hook(this);
    }

    /** No fault, only watching. */
    static Injection none(CrashableStorage storage) {
        return new Injection(storage, null, Loss.ALL_KEPT, (number, operation) -> false, null);
    }

    /** The point's fault at the point's operation. */
    static Injection at(CrashPoint point, CrashableStorage storage) {
        return new Injection(
                storage,
                point.fault(),
                point.loss(),
                (number, operation) -> point.isAt(operation.what, operation.occurrence),
                null);
    }

    /** {@code fault} at the operation {@code first} or the next one where it makes sense, and some write back. */
    static Injection from(int first, Fault fault, Loss loss, CrashableStorage storage, Random writeBack) {
        return new Injection(
                storage,
                fault,
                loss,
                (number, operation) -> number >= first && (fault != Fault.DISK_FULL || operation.mayGrow()),
                writeBack);
    }

    @Override
    public void beforeOperation(int number, String text) throws IOException {
        String what = UNIQUE.matcher(text).replaceAll("UUID");
        if (writeBack != null) {
            writeBackSometimes(writeBack);
        }
        synchronized (this) {
            Operation operation = new Operation(what, counts.merge(what, 1, Integer::sum));
            if (struckAt != null) {
                return;
            }
            before.add(operation);
            if (!place.test(number, operation)) {
                return;
            }
            struckAt = "operation " + number + " (" + what + ", number " + operation.occurrence + " of its kind)";
        }
        strike();
    }

    private void writeBackSometimes(Random random) {
        synchronized (random) {
            if (random.nextInt(8) == 0) {
                storage.writeBack(random);
            }
        }
    }

    private void strike() throws IOException {
        String where = struckAt();
        if (fault == Fault.IO_ERROR) {
            throw new IOException("Input/output error");
        } else if (fault == Fault.DISK_FULL) {
            storage.fillUp();
        } else {
            PowerCut cut = new PowerCut(fault + " at " + where);
            if (fault == Fault.KILL && loss == Loss.ALL_LOST) {
                storage.powerOff(cut); // before any of it is done
            }
            throw cut;
        }
    }

    /** The operation at which the fault happened, null if it did not. */
    synchronized @Nullable String struckAt() {
        return struckAt;
    }

    /** The operations up to the fault, that one included. */
    synchronized List<Operation> operations() {
        return List.copyOf(before);
    }
}
