// Drives Ramulator 2.1 as a library: sends the requests of a file to its memory system, each as early as its cycle and room
// allow. Usage: driver CONFIG.yaml REQUESTS; a line of REQUESTS is CYCLE TYPE and an address vector. Prints the cycle in which
// the last read's data ended. scripts/ramulator/figures.py has the configurations and reads the commands.
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "ramulator/base/config.h"
#include "ramulator/base/factory.h"
#include "ramulator/base/request.h"
#include "ramulator/frontend/i_frontend.h"
#include "ramulator/memory_system/i_memory_system.h"

using namespace Ramulator;

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: driver CONFIG.yaml REQUESTS\n");
        return 2;
    }
    constexpr int bytes = 32;       // of a burst
    constexpr long settled = 3000;  // cycles after the last request
    ConfigNode config = Config::parse_config_file(argv[1]);
    std::unique_ptr<IFrontEnd> frontend(Factory::create_frontend(config));
    std::unique_ptr<IMemorySystem> memory(Factory::create_memory_system(config));
    frontend->connect_memory_system(memory.get());
    memory->connect_frontend(frontend.get());
    std::ifstream requests(argv[2]);
    std::string line;
    long now = 0;
    long last = 0;
    long number = 0;
    while (std::getline(requests, line)) {
        std::istringstream words(line);
        long at = 0;
        int type = 0;
        AddrVec_t place;
        words >> at >> type;
        for (int level = 0; words >> level;) {
            place.push_back(level);
        }
        for (bool sent = false; !sent;) {
            if (now >= at) {
                Request request(place, type);
                request.addr = request.intra_channel_addr = 2 * bytes * number; // else writes of one address coalesce
                request.size_bytes = bytes;
                request.source_id = 0;
                request.callback = [&last](Request &served) { last = served.depart; };
                sent = memory->send(request);
            }
            if (!sent) {
                memory->tick();
                now++;
            }
        }
        number++;
    }
    for (long i = 0; i < settled; i++) {
        memory->tick();
    }
    frontend->finalize();
    memory->finalize();
    printf("%ld\n", last);
    return 0;
}
