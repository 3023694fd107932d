package io.persist.bench.device;

import io.persist.bench.device.engine.Access;
import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.bench.device.engine.Request;
import io.persist.command.CommandLine;
import io.persist.support.FullHeap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A cell whose engine needs all memory that there is, for a JVM of its own with a small heap. */
public final class FullHeapRun {

    private FullHeapRun() {}

    /** Says in one word what has come of the cell. */
    public static void main(String[] args) throws Exception {
        DeviceFlags flags = new DeviceFlags();
        CommandLine.of(flags).parse(new String[] {"--block", "4096", "--seconds", "0.02", "--warmup", "0"});
        TestFile file = new TestFile(Files.write(Path.of("noise"), new byte[16 * 4096]), 16 * 4096);
        DeviceEngine greedy = DeviceEngine.of("greedy", Set.of(), List.of(), spec -> new Greedy());
        CellResult result = new CellRun(flags, List.of(file), null, 1, () -> false)
                .measure(new Cell(greedy, Pattern.SEQ, Operation.WRITE, 0, 1));
        System.out.println(result.missing().startsWith("no memory for its blocks") ? "full" : result.missing());
    }

    /** Has all the memory from the first operation on until it is closed. */
    private static final class Greedy implements Access {

        private final Object[] ballast = new Object[1 << 20];

        @Override
        public void begin(Request request) {
            FullHeap.fill(ballast);
            ballast[0] = new byte[1 << 20];
        }

        @Override
        public Request await() throws IOException {
            throw new IOException("it had memory");
        }

        @Override
        public void close() {
            Arrays.fill(ballast, null);
        }
    }
}
