package io.persist.bench;

import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.flags.PayloadParameters;
import io.persist.bench.host.Pinning;
import io.persist.bench.load.ReadPass;
import io.persist.bench.record.Messages;
import io.persist.bench.record.NumberedMessages;
import io.persist.command.Command;
import io.persist.command.CommandLine;
import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.error.PersistException;
import io.persist.tool.OutputException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * What all benchmark programs do: parse and check their flags, run, and turn each failure into one line and an exit
 * code. The subclasses say what is measured.
 *
 * @param <P> the flags
 */
abstract class BenchmarkProgram<P extends LoggerParameters> implements NamedCommand {

    private final String name;
    private final P parameters;

    /** @param name of the command */
    BenchmarkProgram(String name, P parameters) {
        this.name = name;
        this.parameters = parameters;
    }

    /** Ends a manual with what is the same for all benchmarks. */
    static Manual finished(Manual manual) {
        return manual.note("A boolean flag is given as -f, -f true or -f false. Sizes may have a unit: 64KB, 1.5GB.")
                .note("Logs are below --logLocation, each program's in a directory of its own, and stay;"
                        + " --cleanup deletes the run's.")
                .exits("failed, with one line on the standard error stream");
    }

    @Override
    public final CommandLine commandLine() {
        return CommandLine.of(parameters);
    }

    /**
     * Looks at what is to be written, once the flags are known to be right, and makes the run.
     *
     * @param payload the messages, numbered if there are several producers
     */
    abstract BenchmarkRun prepare(
            P flags, Messages messages, PayloadParameters.Payload payload, BenchmarkRun.Console console);

    @Override
    public final int run(String[] args, PrintStream out, PrintStream err) {
        String prefix = "persist " + name + ": ";
        try {
            CommandLine commandLine = commandLine();
            commandLine.parse(args);
            if (parameters.common().help()) {
                manual().print(commandLine, out);
                return Command.OK;
            }
            parameters.validate();
            PayloadParameters.Payload payload = parameters.payload().load();
            Messages messages = parameters.detached().producers() == 1
                    ? payload.messages()
                    : new NumberedMessages(payload.messages());
            prepare(parameters, messages, payload, new BenchmarkRun.Console(name, List.of(args), out, err))
                    .run();
            return Command.OK;
        } catch (UsageException e) {
            err.println(prefix + Text.describe(e));
            return Command.USAGE;
        } catch (PersistException
                | ReadPass.VerificationException
                | Pinning.PinningException
                | IOException
                | UncheckedIOException e) {
            err.println(prefix + Text.describe(e));
        } catch (OutputException e) {
            throw e; // Main says it
        } catch (OutOfMemoryError e) {
            err.println(prefix + "out of memory with a heap of "
                    + Text.bytes(Runtime.getRuntime().maxMemory()) + "; give the JVM a larger -Xmx");
        } catch (RuntimeException | InternalError e) {
            // A mistake in the program, or a fault of mapped memory. Where it happened helps whoever gets the report.
            StackTraceElement[] trace = e.getStackTrace();
            err.println(prefix + Text.describe(e) + " (" + e.getClass().getSimpleName()
                    + (trace.length > 0 ? " at " + trace[0] : "") + ")");
        }
        return Command.FAILED;
    }
}
