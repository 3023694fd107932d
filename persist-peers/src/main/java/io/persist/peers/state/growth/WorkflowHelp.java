package io.persist.peers.state.growth;

import io.persist.command.CommandLine;
import java.io.PrintStream;

/** What {@code bin/persist workflow --help} prints. */
final class WorkflowHelp {

    private static final String BEGINNING = """
            Grows the state of a workflow engine from empty, round after round in one store, as LittleHorse's
            benchmark does: Persist's store, RocksDB as Kafka Streams configures it, and SpeedB, each in a JVM of its
            own, in turn.

              bin/persist workflow
              bin/persist workflow --workflow 1000x1000x1000 --restore --dir /data --output runs
              bin/persist workflow --workflow 1000x2000x1000 --grow-gb 24 --engine persist --heap 256m --dir /data
              bin/persist report runs

            By default there are 20 rounds of 1000x1000x50 task runs: 1.2 GB in the end; 3.4 GB have to be free.
            """;

    private static final String END = """

            Tables go to standard output as Markdown, how far it is to standard error; --output has a run
            for each engine, with CSV files of rounds, windows and seconds beside it. In the end each engine is opened
            anew, and all that it holds is compared with what it has to hold.
            Exit code: 0 done, 1 an engine or more failed, or there is too little space; 2 wrong use.
            """;

    private WorkflowHelp() {}

    static void print(CommandLine commandLine, PrintStream out) {
        out.println(BEGINNING);
        commandLine.printFlags(out);
        out.print(END);
    }
}
