package io.persist.bench;

import io.persist.error.PersistException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;

/**
 * The benchmark "MessageLogger": journals messages, shows the latencies of the writes, and reads everything back. The
 * flags are those of the program of this name in the Rumi benchmark suite.
 */
public final class MessageLoggerMain {

    private MessageLoggerMain() {}

    public static void main(String[] args) {
        Main.exit(run(args, System.out, System.err));
    }

    /** Runs the program; see {@link Command#run}. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        MessageLoggerParameters parameters = new MessageLoggerParameters();
        try {
            CommandLine commandLine = CommandLine.of(parameters);
            commandLine.parse(args);
            if (parameters.common().help()) {
                printHelp(commandLine, out);
                return Command.OK;
            }
            parameters.validate();
            PayloadParameters.Payload payload = parameters.payload().load();
            Messages messages = parameters.detached().producers() == 1
                    ? payload.messages()
                    : new NumberedMessages(payload.messages());
            parameters.validate(messages);
            long count = parameters.common().count(payload.suggestedCount());
            new MessageLoggerRun(parameters, messages, count, out, err).run();
            return Command.OK;
        } catch (UsageException e) {
            err.println("persist message: " + Text.describe(e));
            return Command.USAGE;
        } catch (PersistException
                | ReadPass.VerificationException
                | Pinning.PinningException
                | IOException
                | UncheckedIOException e) {
            err.println("persist message: " + Text.describe(e));
        } catch (OutOfMemoryError e) {
            err.println("persist message: out of memory with a heap of "
                    + Text.bytes(Runtime.getRuntime().maxMemory()) + "; give the JVM a larger -Xmx");
        } catch (RuntimeException | InternalError e) {
            // A mistake in the program, or a fault of mapped memory. Where it happened helps whoever gets the report.
            StackTraceElement[] trace = e.getStackTrace();
            err.println("persist message: " + Text.describe(e) + " ("
                    + e.getClass().getSimpleName() + (trace.length > 0 ? " at " + trace[0] : "") + ")");
        }
        return Command.FAILED;
    }

    private static void printHelp(CommandLine commandLine, PrintStream out) {
        out.println(
                "Journals messages to a log, shows the latencies of the writes, closes and reopens the log, and reads");
        out.println("everything back, comparing each record with what was written.");
        out.println();
        out.println("Usage: java -cp \"libs/*\" io.persist.bench.Main message [flags]");
        out.println();
        out.println("Example: 1,000,000 messages at 100,000 per second, each of them synced in groups of 10");
        out.println("  java -cp \"libs/*\" io.persist.bench.Main message -k ./logs -r 100000 -n 10 -y");
        out.println("Example: three threads hand over to a writer thread on CPU 1, which syncs for all of them");
        out.println("  java -cp \"libs/*\" io.persist.bench.Main message -k ./logs -d -q 1024 -j 0x2 --producers 3 -y");
        out.println();
        commandLine.printFlags(out);
        out.println();
        out.println(
                "A boolean flag is given as -f, -f true or -f false. The log stays: delete its directory when done.");
        out.println(
                "Exit code: 0 done, 1 failed, 2 wrong use; the latter two with one line on the standard error stream.");
    }
}
