package io.persist.jmh.read;

import io.persist.MessageLogger;
import io.persist.jmh.support.Payloads;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Another process that writes a log, to be killed in the middle of it. It says so on standard output when the log is
 * long enough, and goes on appending.
 */
final class KilledWriter {

    /** What each of the writers adds at least: more than a recovery reads. */
    private static final long MIN_GROWTH = 8 << 20;

    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(10);

    private KilledWriter() {}

    /** Has a new process bring the log to {@code length} bytes and kills it while it appends. */
    static void run(LogConfig config, int payload, long length) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledWriter.class.getName(),
                        config.directory().toString(),
                        config.writeMode().name(),
                        Integer.toString(config.segmentLength()),
                        Integer.toString(payload),
                        Long.toString(length))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        boolean ready = false;
        try {
            ready = process.getInputStream().read() >= 0;
        } finally {
            process.destroyForcibly().onExit().join();
        }
        if (!ready) {
            throw new IOException("the writing process ended early: exit=" + process.exitValue());
        }
    }

    public static void main(String[] args) {
        LogConfig config = LogConfig.builder(Path.of(args[0]))
                .writeMode(WriteMode.valueOf(args[1]))
                .segmentLength(Integer.parseInt(args[2]))
                .build();
        byte[] message = Payloads.random(Integer.parseInt(args[3]));
        MessageLogger logger = MessageLogger.open(config); // never closed: that is the point
        long target = Math.max(Long.parseLong(args[4]), logger.position() + MIN_GROWTH);
        while (logger.position() < target) {
            logger.append(message, 0, message.length);
            logger.commit();
        }
        System.out.println("ready");
        while (true) {
            logger.append(message, 0, message.length);
            logger.commit();
            LockSupport.parkNanos(PAUSE_NS);
        }
    }
}
