package io.persist.tool.store;

import io.persist.StoreView;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.read.StoreScan;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.StorePlace;
import io.persist.tool.print.EntryPrinter;
import io.persist.tool.text.Descriptions;
import java.io.PrintStream;
import java.nio.ByteBuffer;

/**
 * Prints the keys of a range and their values, in order and as they are when it begins. The store may be written
 * meanwhile. A value that is damaged, or cannot be read, is said in its place, and the scan goes on.
 */
public final class StoreScanTool implements LogTool {

    /** Now and then it looks whether anybody still reads. */
    private static final int CHECK_INTERVAL = 1 << 10;

    private final KeyRange range;
    private final Direction direction;
    private final long limit;
    private final EntryPrinter printer;
    private final StorePlace place;

    /**
     * A scan of {@code range}.
     *
     * @param limit how many keys at most
     */
    public StoreScanTool(KeyRange range, Direction direction, long limit, EntryPrinter printer, StorePlace place) {
        if (limit < 0) {
            throw new IllegalArgumentException("--limit " + limit + " is out of range; give a value from 0 on");
        }
        this.range = range;
        this.direction = direction;
        this.limit = limit;
        this.printer = printer;
        this.place = place;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        try (StoreView view = place.view(log);
                StoreScan scan = view.snapshot().scan(range, direction)) {
            printer.begin(out);
            long damaged = print(scan, out);
            out.flush();
            if (damaged == 0) {
                return ExitCode.OK;
            }
            err.println("persist: " + Descriptions.name(log) + ": " + Descriptions.number(damaged, "value")
                    + " cannot be read");
            return ExitCode.FAILURE;
        }
    }

    /** Returns how many values are damaged or cannot be read. */
    private long print(StoreScan scan, PrintStream out) {
        long damaged = 0;
        for (long i = 0; i < limit && scan.next(); i++) {
            if (!printer.hasValues()) {
                printer.printKey(scan.keyUntilNext(), out);
            } else {
                damaged += print(scan.keyUntilNext(), scan, out);
            }
            if (i % CHECK_INTERVAL == CHECK_INTERVAL - 1 && out.checkError()) {
                break;
            }
        }
        return damaged;
    }

    private int print(ByteBuffer key, StoreScan scan, PrintStream out) {
        ByteBuffer value;
        try {
            value = scan.valueUntilNext();
        } catch (CorruptLogException | LogIOException e) {
            printer.printDamage(key, String.valueOf(e.getMessage()), out);
            return 1;
        }
        printer.print(key, value, out);
        return 0;
    }
}
